/** Whether a text has U+FFFD, which replaces bytes that are not UTF-8: what they were is lost. */
export const isGarbled = (text: string): boolean => text.includes("\ufffd");
