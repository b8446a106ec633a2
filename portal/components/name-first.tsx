/** A card by its player, since a person knows no ExternalID; by that alone while the player's name is not known. */
export const NameFirst = ({
  name,
  externalId,
}: {
  readonly name: string | undefined;
  readonly externalId: string;
}) => (
  <>
    {name ?? externalId}
    {name !== undefined && <small class="quiet"> {externalId}</small>}
  </>
);
