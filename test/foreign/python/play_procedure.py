"""Plays a procedure with the client that openapi-python-client has made of the OpenAPI document: a tender, a question and its answer, two bids, an auction,
an award and a signed contract. Every body is made by a generated model, and every answer read by one.

Usage: play_procedure.py <address of the gateway>, with the package `generated_client` on the path.
"""

import base64
import importlib
import sys
import time
import typing
from datetime import datetime, timedelta, timezone

from generated_client import AuthenticatedClient, Client

API = f"{sys.argv[1]}/api/2.5"
WAIT_SECONDS = 120
NEXT_CHECK = {"to": "next_check"}


def client_of(key):
    token = base64.b64encode(f"{key}:".encode()).decode()
    return AuthenticatedClient(base_url=API, token=token, prefix="Basic")


BUYER, FIRST, SECOND, AUCTION = (client_of(key) for key in ("broker1", "broker2", "broker3", "auction"))
ANYONE = Client(base_url=API)


def call(client, operation, *path, data=None, token=None):
    """Calls an operation, `tenders.create_tender`, with `data` as the body, and returns the answer as a dict. Ends the program when it is refused."""
    module = importlib.import_module(f"generated_client.api.{operation}")
    arguments = {} if token is None else {"acc_token": token}
    if data is not None:
        hint = typing.get_type_hints(module.sync_detailed)["body"]
        model = next(one for one in (typing.get_args(hint) or [hint]) if hasattr(one, "from_dict"))
        arguments["body"] = model.from_dict({"data": data})
    answer = module.sync_detailed(*path, client=client, **arguments)
    if answer.status_code >= 300 or answer.parsed is None:
        sys.exit(f"{operation}: {answer.status_code} {answer.content.decode()}")
    print(operation, answer.status_code.value, type(answer.parsed).__name__)
    return answer.parsed.to_dict()


def in_days(days):
    return (datetime.now(timezone.utc) + timedelta(days=days)).isoformat()


def party(name):
    return {
        "name": name,
        "identifier": {"scheme": "UA-EDR", "id": "00037256", "legalName": name},
        "address": {"countryName": "Україна"},
        "contactPoint": {"name": "Olha Koval", "email": "koval@example.com"},
    }


TENDER = {
    "title": "White paint",
    "mode": "test",
    "procurementMethodDetails": "quick, accelerator=1440",
    "value": {"amount": 500},
    "minimalStep": {"amount": 15},
    "procuringEntity": {**party("School 7"), "kind": "general"},
    "enquiryPeriod": {"endDate": in_days(7)},
    "tenderPeriod": {"endDate": in_days(14)},
    "items": [
        {
            "description": "White paint",
            "quantity": 20,
            "unit": {"code": "KGM", "name": "kg"},
            "deliveryDate": {"endDate": in_days(30)},
            "classification": {"scheme": "CPV", "id": "44810000-1", "description": "Paints"},
            "additionalClassifications": [{"scheme": "ДКПП", "id": "20.30.1", "description": "Paints"}],
        }
    ],
}


def read_tender():
    return call(ANYONE, "tenders.get_tender", tender)["data"]


def wait_until(holds):
    """Reads the tender until the condition holds, and returns it."""
    give_up_at = time.monotonic() + WAIT_SECONDS
    while not holds(read := read_tender()):
        if time.monotonic() > give_up_at:
            sys.exit(f"waited in vain: {read}")
        time.sleep(0.5)
    return read


def move_clock(move=NEXT_CHECK):
    call(BUYER, "clock.move_clock", tender, data=move)


def move_clock_to(end):
    now = call(ANYONE, "clock.read_clock", tender)["data"]["now"]
    seconds = (datetime.fromisoformat(end) - datetime.fromisoformat(now)).total_seconds()
    move_clock({"advance": f"PT{seconds:.6f}S"})


made = call(BUYER, "tenders.create_tender", data=TENDER)
tender, owner = made["data"]["id"], made["access"]["token"]
question = call(FIRST, "questions.create_question", tender, data={"author": party("Paper"), "title": "Cans", "description": "How large?"})
call(BUYER, "questions.patch_question", tender, question["data"]["id"], data={"answer": "10 kg"}, token=owner)
move_clock()
bids = [
    call(bidder, "bids.create_bid", tender, data={"tenderers": [party(name)], "value": {"amount": amount}})["data"]["id"]
    for bidder, name, amount in ((FIRST, "Paper", 469), (SECOND, "Colour", 479))
]
wait_until(lambda read: "startDate" in read.get("auctionPeriod", {}))
move_clock()
call(AUCTION, "auction.get_auction", tender)
address = f"https://auction.example.org/tenders/{tender}"
links = [{"id": bid, "participationUrl": f"{address}/login?bidder_id={bid}"} for bid in bids]
call(AUCTION, "auction.patch_auction", tender, data={"auctionUrl": address, "bids": links})
move_clock()
results = [{"id": bid, "value": {"amount": 390 + 10 * n}} for n, bid in enumerate(bids)]
call(AUCTION, "auction.report_auction", tender, data={"bids": results})
award = wait_until(lambda read: read.get("awards"))["awards"][0]
call(BUYER, "awards.patch_award", tender, award["id"], data={"status": "active"}, token=owner)
awarded = wait_until(lambda read: read.get("contracts"))
contract = awarded["contracts"][0]
move_clock_to(awarded["awards"][0]["complaintPeriod"]["endDate"])
call(BUYER, "contracts.patch_contract", tender, contract["id"], data={"status": "active"}, token=owner)
if wait_until(lambda read: read["status"] != "active.awarded")["status"] != "complete":
    sys.exit("the tender is not complete")
