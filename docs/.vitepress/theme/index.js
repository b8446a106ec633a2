// Without the fonts, which are most of the site's bytes.
export { default } from "vitepress/theme-without-fonts";
