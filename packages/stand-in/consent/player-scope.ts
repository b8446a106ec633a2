/** The scope that lets an app see the player who consents. */
export const playerScope = "get_player.information";
