// Command goclient plays a procedure with the client that oapi-codegen has made of the OpenAPI document: a tender, a question
// and its answer, two bids, an auction, an award and a signed contract. Every body is made by a generated model, and every
// answer is read by one.
//
// Usage: goclient <address of the gateway>
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"reflect"
	"time"

	"procurement.example/goclient/api"
)

const patience = 2 * time.Minute

var (
	ctx     = context.Background()
	buyer   = clientOf("broker1")
	bidders = []*api.ClientWithResponses{clientOf("broker2"), clientOf("broker3")}
	room    = clientOf("auction")
	anyone  = clientOf("")

	identifier = api.IdentifierInput{Scheme: api.IdentifierInputSchemeUAEDR, Id: "00037256", LegalName: new("Paper")}
	address    = api.AddressInput{CountryName: "Україна"}
	contact    = api.ContactPointInput{Name: "Olha Koval", Telephone: new("+380441234567")}
)

func clientOf(key string) *api.ClientWithResponses {
	authorize := func(_ context.Context, request *http.Request) error {
		if key != "" {
			request.SetBasicAuth(key, "")
		}
		return nil
	}
	client, err := api.NewClientWithResponses(os.Args[1]+"/api/2.5", api.WithRequestEditorFn(authorize))
	check(err)
	return client
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// accepted returns the answer of an operation. It ends the program when the operation was refused, or no model read its answer.
func accepted[A interface {
	StatusCode() int
	GetBody() []byte
}](answer A, err error) A {
	check(err)
	status := answer.StatusCode()
	model := reflect.ValueOf(answer).Elem().FieldByName(fmt.Sprint("JSON", status))
	if status >= 300 || !model.IsValid() || model.IsNil() {
		log.Fatalf("%T: %d %s", answer, status, answer.GetBody())
	}
	fmt.Printf("%T %d\n", answer, status)
	return answer
}

func inDays(days int) time.Time { return time.Now().AddDate(0, 0, days) }

func newTender() api.TenderInput {
	return api.TenderInput{
		Title:                    "White paint",
		Mode:                     new(api.TenderInputModeTest),
		ProcurementMethodDetails: new("quick, accelerator=1440"),
		Value:                    api.ValueInput{Amount: 500},
		MinimalStep:              api.ValueInput{Amount: 15},
		ProcuringEntity: api.ProcuringEntityInput{
			Name: "School 7", Identifier: identifier, Address: address, ContactPoint: contact,
			Kind: new(api.ProcuringEntityInputKindGeneral),
		},
		EnquiryPeriod: api.PeriodEndRequiredInput{EndDate: inDays(7)},
		TenderPeriod:  api.PeriodEndRequiredInput{EndDate: inDays(14)},
		Items: []api.ItemInput{{
			Description:               "White paint",
			Quantity:                  new(20.0),
			Unit:                      &api.UnitInput{Code: "KGM", Name: new("kg")},
			DeliveryDate:              &api.PeriodInput{EndDate: new(inDays(30))},
			Classification:            api.CPVClassificationInput{Id: "44810000-1", Description: "Paints"},
			AdditionalClassifications: &[]api.ClassificationInput{{Scheme: "ДКПП", Id: "20.30.1", Description: "Paints"}},
		}},
	}
}

func waitUntil(tender string, holds func(api.Tender) bool) api.Tender {
	for end := time.Now().Add(patience); ; time.Sleep(500 * time.Millisecond) {
		read := accepted(anyone.GetTenderWithResponse(ctx, tender, nil))
		if holds(read.JSON200.Data) {
			return read.JSON200.Data
		}
		if time.Now().After(end) {
			log.Fatalf("waited in vain: %s", read.Body)
		}
	}
}

// moveClock moves the clock of the tender to an end, or without one to its next check.
func moveClock(tender string, end *time.Time) {
	var body api.MoveClockJSONRequestBody
	if end == nil {
		check(body.Data.FromClockMoveInput1(api.ClockMoveInput1{To: api.NextCheck}))
	} else {
		now := accepted(anyone.ReadClockWithResponse(ctx, tender, nil)).JSON200.Data.Now
		check(body.Data.FromClockMoveInput0(api.ClockMoveInput0{Advance: fmt.Sprintf("PT%.6fS", end.Sub(now).Seconds())}))
	}
	accepted(buyer.MoveClockWithResponse(ctx, tender, nil, body))
}

func main() {
	var body api.CreateTenderJSONRequestBody
	check(body.Data.FromTenderInput(newTender()))
	made := accepted(buyer.CreateTenderWithResponse(ctx, nil, body)).JSON201
	tender, owner := made.Data.Id, &made.Access.Token

	author := api.OrganizationInput{Name: "Paper", Identifier: identifier, Address: address, ContactPoint: contact}
	asked := api.QuestionInput{Author: author, Title: "Cans", Description: new("How large?")}
	questionBody := api.CreateQuestionJSONRequestBody{Data: asked}
	question := accepted(bidders[0].CreateQuestionWithResponse(ctx, tender, nil, questionBody)).JSON201.Data.Id
	answered := api.PatchQuestionJSONRequestBody{Data: api.QuestionPatch{Answer: new("10 kg")}}
	accepted(buyer.PatchQuestionWithResponse(ctx, tender, question, &api.PatchQuestionParams{AccToken: owner}, answered))

	moveClock(tender, nil)
	page := "https://auction.example.org/tenders/" + tender
	var links []api.AuctionBidPatch
	var results []api.AuctionBidInput
	for n, bidder := range bidders {
		tenderer := api.BusinessOrganizationInput{Name: "Paper", Identifier: identifier, Address: address, ContactPoint: contact}
		bid := api.BidInput{Tenderers: []api.BusinessOrganizationInput{tenderer}, Value: &api.ValueInput{Amount: float64(469 + 10*n)}}
		id := accepted(bidder.CreateBidWithResponse(ctx, tender, nil, api.CreateBidJSONRequestBody{Data: bid})).JSON201.Data.Id
		links = append(links, api.AuctionBidPatch{Id: &id, ParticipationUrl: new(page + "/login?bidder_id=" + id)})
		results = append(results, api.AuctionBidInput{Id: &id, Value: &api.AuctionValueInput{Amount: new(float64(390 + 10*n))}})
	}

	waitUntil(tender, func(read api.Tender) bool { return read.AuctionPeriod != nil && read.AuctionPeriod.StartDate != nil })
	moveClock(tender, nil)
	accepted(room.GetAuctionWithResponse(ctx, tender, nil))
	planned := api.PatchAuctionJSONRequestBody{Data: api.AuctionPatch{AuctionUrl: &page, Bids: &links}}
	accepted(room.PatchAuctionWithResponse(ctx, tender, nil, planned))
	moveClock(tender, nil)
	held := api.ReportAuctionJSONRequestBody{Data: api.AuctionInput{Bids: &results}}
	accepted(room.ReportAuctionWithResponse(ctx, tender, nil, held))

	award := (*waitUntil(tender, func(read api.Tender) bool { return read.Awards != nil }).Awards)[0].Id
	won := api.PatchAwardJSONRequestBody{Data: api.AwardPatch{Status: new(api.AwardPatchStatusActive)}}
	accepted(buyer.PatchAwardWithResponse(ctx, tender, award, &api.PatchAwardParams{AccToken: owner}, won))
	awarded := waitUntil(tender, func(read api.Tender) bool { return read.Contracts != nil })
	moveClock(tender, (*awarded.Awards)[0].ComplaintPeriod.EndDate)
	contract := (*awarded.Contracts)[0].Id
	signed := api.PatchContractJSONRequestBody{Data: api.ContractPatch{Status: new(api.ContractPatchStatusActive)}}
	accepted(buyer.PatchContractWithResponse(ctx, tender, contract, &api.PatchContractParams{AccToken: owner}, signed))
	done := waitUntil(tender, func(read api.Tender) bool { return read.Status != api.TenderStatusActiveAwarded })
	if done.Status != api.TenderStatusComplete {
		log.Fatalf("the tender is %s, not complete", done.Status)
	}
}
