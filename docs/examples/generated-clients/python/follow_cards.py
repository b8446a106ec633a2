"""Submits the cards of a file, and waits until each is told of by its state, by the feed and by a webhook.

The package scorecards is what openapi-python-client makes of openapi.json.
"""

import base64, json, os, queue, sys, threading, time
from http.server import BaseHTTPRequestHandler, HTTPServer

from scorecards import AuthenticatedClient
from scorecards.api.scorecards import (
    create_webhook,
    get_scorecard_state,
    list_events,
    remove_webhook,
    submit_scorecards,
)
from scorecards.models import CardStatusState as State
from scorecards.models import Problem, Scorecard, ScorecardDeliveredEvent, WebhookInput, WebhookInputTypesItem
from standardwebhooks import Webhook, WebhookVerificationError

apiset, password = os.environ["API_USER"], os.environ["API_PASSWORD"]
token = base64.b64encode(f"{apiset}:{password}".encode()).decode()
client = AuthenticatedClient(os.environ["API_URL"], token, prefix="Basic", timeout=30)
cards = [Scorecard.from_dict(card) for card in json.load(open(sys.argv[1]))]
own = {card.external_id for card in cards}
told = queue.Queue()


class Hook(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            event = webhook.verify(body, self.headers)
        except (WebhookVerificationError, ValueError):
            self.send_response(401)
        else:
            self.send_response(204)
            if event["type"] == "scorecard.delivered":
                for card in ScorecardDeliveredEvent.from_dict(event).data.cards:
                    told.put(card.external_id)
        self.end_headers()

    def log_message(self, *_):
        pass


def of(answer):
    """An answer of the API that is no problem."""
    if answer is None or isinstance(answer, Problem):
        sys.exit(str(answer))
    return answer


server = HTTPServer(("127.0.0.1", 0), Hook)
address = f"http://127.0.0.1:{server.server_port}/hook"
types = [WebhookInputTypesItem.SCORECARD_DELIVERED]
endpoint = of(create_webhook.sync(apiset, client=client, body=WebhookInput(url=address, types=types)))
webhook = Webhook(endpoint.secret)
threading.Thread(target=server.serve_forever, daemon=True).start()
print("hook", address, flush=True)

cursor = of(list_events.sync(apiset, client=client, after="latest")).cursor
for card in of(submit_scorecards.sync(apiset, client=client, body=cards)):
    print("accepted", card.external_id, card.result.total_points)
for external_id in own:
    state = State.QUEUED
    while state in (State.QUEUED, State.RETRYING):
        time.sleep(0.2)
        state = of(get_scorecard_state.sync(apiset, external_id, client=client)).state
    if state == State.DELIVERED:
        print("state", external_id)
missing = set(own)
while missing:
    page = of(list_events.sync(apiset, client=client, after=cursor))
    cursor = page.cursor
    for event in page.events:
        for card in event.data.cards or []:
            if event.type_ == "scorecard.delivered" and card.external_id in missing:
                missing.remove(card.external_id)
                print("event", card.external_id)
    time.sleep(0.2)
missing = set(own)
while missing:
    external_id = told.get(timeout=60)
    if external_id in missing:
        missing.remove(external_id)
        print("webhook", external_id)
remove_webhook.sync_detailed(apiset, endpoint.id, client=client)
