import * as z from "zod";

const figure = z.union([z.number(), z.string()]).nullish().catch(null);

/** The fields of a card that a player's record shows; a field that the card lacks, or has in another form, is null. */
const toldCardSchema = z.object({
  HCP: figure,
  Course: z.object({
    Name: z.string().nullish().catch(null),
    TeePar: figure,
    TeeRating: figure,
    TeeSlope: figure,
  }),
  Round: z.object({ StartTime: z.string(), HolesPlayed: figure }),
  Result: z.object({ IsQualifying: z.boolean(), TotalPoints: figure, TotalStrokes: figure }),
});

/** A round of a player's record, as the statistics interface serves it. It has no ExternalID. */
export type RoundOnRecord = ReturnType<typeof recordedRound>;

/**
 * A processed card as its player's record shows it.
 *
 * @param differential tenths; undefined if none was calculated
 * @param asTexts whether its numbers are texts: the interface has both
 */
export function recordedRound(card: unknown, differential: number | undefined, asTexts: boolean) {
  const { HCP, Course, Round, Result } = toldCardSchema.parse(card);
  const told = (value: number | string | null | undefined) => {
    if (value === null || value === undefined || value === "") return null;
    return asTexts ? String(value) : Number(value);
  };
  const { Name = null, TeePar, TeeRating, TeeSlope } = Course;
  return {
    HCP: told(HCP),
    Result: {
      IsQualifying: Result.IsQualifying,
      SGD: told(differential === undefined || !Result.IsQualifying ? null : differential * 1_000),
      TotalPoints: told(Result.TotalPoints),
      TotalStrokes: told(Result.TotalStrokes),
    },
    Round: { StartTime: Round.StartTime, HolesPlayed: told(Round.HolesPlayed) },
    Course: { Name, TeePar: told(TeePar), TeeRating: told(TeeRating), TeeSlope: told(TeeSlope) },
  };
}
