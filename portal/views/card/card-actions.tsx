import {
  CardState,
  type CardStatus,
  isWaiting,
  type StoredScorecard,
} from "@scorecard-pipeline/scorecards-client";
import { useState } from "preact/hooks";
import { useSession } from "../../base/session.ts";
import { ActionResult, type ActionState, ConfirmButton, useAction } from "../../components/action.tsx";
import { QuietButton } from "../../components/quiet-button.tsx";
import { texts } from "../../texts/texts.ts";
import { correctCard } from "./correction.ts";
import { CorrectionForm } from "./correction-form.tsx";
import { formatWithdrawal } from "./withdrawal.ts";

interface CardActionsProps {
  readonly status: CardStatus;
  readonly card: StoredScorecard | undefined;
  readonly refresh: () => void;
}

export function CardActions({ status, card, refresh }: CardActionsProps) {
  const { api } = useSession();
  const { state, run, isWorking } = useAction();
  const [isWithdrawal, setWithdrawal] = useState(false);
  const [isCorrecting, setCorrecting] = useState(false);
  const { externalId } = status;
  const isRejected = status.state === CardState.rejected;
  const canWithdraw = isWaiting(status.state) || status.state === CardState.undelivered;
  const act = (working: string, action: () => Promise<string>) => {
    setWithdrawal(false);
    void run(working, action);
  };
  const shown: ActionState | undefined =
    isWithdrawal && state !== undefined && state.status !== "failed"
      ? { ...state, text: formatWithdrawal(status.state, state.status === "done") }
      : state;
  return (
    <div class="card-actions">
      <div class="actions">
        {(canWithdraw || isRejected) && (
          <ConfirmButton
            label={isRejected ? texts.card.deliverAgain : texts.card.deliver}
            {...(isRejected ? texts.card.confirmDeliverAgain : texts.card.confirmDeliver)}
            disabled={isWorking}
            onConfirm={() =>
              act(texts.card.delivering, async () => {
                await api.deliver(externalId);
                refresh();
                return texts.card.deliverDone;
              })
            }
          />
        )}
        {card !== undefined && status.state !== CardState.withdrawing && (
          <QuietButton
            aria-expanded={isCorrecting}
            disabled={isWorking}
            onClick={() => setCorrecting(!isCorrecting)}
          >
            {texts.card.correct}
          </QuietButton>
        )}
        {canWithdraw && (
          <ConfirmButton
            label={texts.card.withdraw}
            {...texts.card.confirmWithdraw}
            kind="quiet-button"
            disabled={isWorking}
            onConfirm={() => {
              setWithdrawal(true);
              void run(texts.card.withdrawing, async () => {
                await api.withdraw(externalId);
                refresh();
                return texts.card.withdrawDone;
              });
            }}
          />
        )}
      </div>
      {isRejected && <p class="quiet">{texts.card.notWithdrawn}</p>}
      {isCorrecting && card !== undefined && (
        <CorrectionForm
          card={card}
          isWorking={isWorking}
          onSend={(strokes) =>
            act(texts.card.correction.sending, async () => {
              await api.submit([correctCard(card.card, strokes)]);
              setCorrecting(false);
              refresh();
              return texts.card.correction.sent;
            })
          }
        />
      )}
      <ActionResult state={shown} />
    </div>
  );
}
