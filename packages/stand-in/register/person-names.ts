/** First names of people who do not exist, by the gender of the register. */
export const firstNames = {
  Male: "Aksel Anders Asger Bjarke Carsten Emil Flemming Frederik Gorm Henrik Jakob Jens Johan Kasper Kjeld Lars Leif Mads Mikkel Niels Ole Otto Peder Rasmus Sigurd Steen Søren Thomas Troels Viggo".split(
    " ",
  ),
  Female:
    "Agnes Anna Astrid Birgit Camilla Ditte Else Emma Freja Gerda Hanne Ida Inger Johanne Karen Kirsten Laura Lise Maja Mette Nanna Oda Pernille Rikke Sidsel Signe Sofie Tove Ulla Vibeke".split(
      " ",
    ),
} as const;

/** Their last names. */
export const lastNames =
  "Aagaard Birkedal Bjerregaard Dalsgaard Elkjær Fabricius Gravgaard Hjortkær Iversgaard Juelsbo Kirkeskov Lundholm Mosegaard Nørlund Overgaard Pilegaard Ravnsborg Skovbakke Søndermark Tangholm Ulvsbjerg Vinterby Westergren Østerlund".split(
    " ",
  );
