import json, random, requests, schemathesis

[card] = json.load(open("card.json"))
# Nothing listens there, so that a post fails at once.
endpoint = "http://127.0.0.1:1024/webhooks"


@schemathesis.hook
def before_call(context, case, kwargs):
    operation = case.operation.definition.raw.get("operationId")
    if operation == "createWebhook":
        webhooks = f"{case.operation.base_url}/greens-app/Webhooks"
        session = requests.Session()
        session.auth = ("greens-app", "greens-app-demo")
        for webhook in session.get(webhooks).json()["webhooks"][:-4]:
            session.delete(f"{webhooks}/{webhook['id']}")
    is_valid = case.meta is not None and case.meta.generation.mode.is_positive
    if not is_valid or random.random() < 0.5:
        return
    if isinstance(case.body, list):
        case.body = [{**card, "ExternalID": f"card {random.randint(1, 999_999)}"} for _ in range(random.randint(1, 3))]
    elif isinstance(case.body, dict) and "url" in case.body:
        case.body = {**case.body, "url": endpoint}
