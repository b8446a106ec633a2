import { CardState, type CardStatus, isWaiting } from "@scorecard-pipeline/scorecards-client";
import { formatCount } from "../../base/format.ts";
import { useSession } from "../../base/session.ts";
import { ActionResult, ConfirmButton, useAction } from "../../components/action.tsx";
import { CardLink } from "../../components/card-link.tsx";
import { failureText } from "../../components/notices.tsx";
import { texts } from "../../texts/texts.ts";

const canWithdraw = ({ state }: CardStatus) => isWaiting(state) || state === CardState.undelivered;
const canDeliver = (card: CardStatus) => canWithdraw(card) || card.state === CardState.rejected;

/** Requests at the same time. A vendor's plan allows twenty a second, and its own program needs them, too. */
const concurrency = 4;
/** Cards whose failures are listed one by one. */
const maxFailuresShown = 5;

/** What did not work, of one card. */
interface FailedCard {
  readonly externalId: string;
  readonly text: string;
}

/**
 * Buttons that act on all cards of a list which can be delivered or withdrawn. Each card is asked for by itself, so what went well
 * stays if the page is closed.
 *
 * @param refresh reads the list again
 */
export function ListActions({
  cards,
  refresh,
}: {
  readonly cards: readonly CardStatus[];
  readonly refresh: () => void;
}) {
  const { api } = useSession();
  const { state, run, isWorking } = useAction();
  const { bulk } = texts.cards;
  const toDeliver = cards.filter(canDeliver);
  const toWithdraw = cards.filter(canWithdraw);
  const actOnAll = (of: readonly CardStatus[], act: (externalId: string) => Promise<unknown>) =>
    run(bulk.progress("0", formatCount(of.length)), async (say) => {
      const failed: FailedCard[] = [];
      let asked = 0;
      // Each of the workers takes the next card that no other has taken.
      const next = of.values();
      const work = async () => {
        for (const { externalId } of next) {
          await act(externalId).catch((error: unknown) =>
            failed.push({ externalId, text: failureText(error) }),
          );
          asked++;
          say(bulk.progress(formatCount(asked), formatCount(of.length)));
        }
      };
      await Promise.all(Array.from({ length: concurrency }, work));
      refresh();
      return <ListResult asked={of.length} failed={failed} />;
    });
  if (toDeliver.length < 2 && toWithdraw.length < 2 && state === undefined) return null;
  return (
    <div class="card-actions">
      <div class="actions">
        {toDeliver.length > 1 && (
          <ConfirmButton
            label={bulk.deliver(formatCount(toDeliver.length))}
            {...bulk.confirmDeliver(formatCount(toDeliver.length))}
            disabled={isWorking}
            onConfirm={() => void actOnAll(toDeliver, api.deliver)}
          />
        )}
        {toWithdraw.length > 1 && (
          <ConfirmButton
            label={bulk.withdraw(formatCount(toWithdraw.length))}
            {...bulk.confirmWithdraw(formatCount(toWithdraw.length))}
            kind="quiet-button"
            disabled={isWorking}
            onConfirm={() => void actOnAll(toWithdraw, api.withdraw)}
          />
        )}
      </div>
      <ActionResult state={state} />
    </div>
  );
}

function ListResult({ asked, failed }: { readonly asked: number; readonly failed: readonly FailedCard[] }) {
  const { bulk } = texts.cards;
  return (
    <>
      {bulk.done(formatCount(asked - failed.length), formatCount(asked))}{" "}
      {failed.length > 0 && bulk.failed(formatCount(failed.length))}
      {failed.slice(0, maxFailuresShown).map(({ externalId, text }) => (
        <span key={externalId} class="list-failure">
          <CardLink externalId={externalId} />: {text}
        </span>
      ))}
    </>
  );
}
