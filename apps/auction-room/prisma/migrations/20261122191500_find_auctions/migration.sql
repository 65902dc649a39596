-- AlterTable
ALTER TABLE "auction" ADD COLUMN     "number" TEXT;

-- CreateIndex
CREATE INDEX "auction_start_at_id_idx" ON "auction"("start_at", "id");

-- CreateIndex
CREATE INDEX "auction_number_idx" ON "auction"("number");

-- Written by hand. By a trigger, because a replica of an earlier release adds auctions too while releases change. An auction whose state
-- cannot be read has no number, and stops neither this migration nor a change of the auction.
UPDATE "auction" SET "number" = "state"::json #>> '{plan,facts,tenderID}' WHERE pg_input_is_valid("state", 'json');

CREATE FUNCTION "auction_has_number"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF pg_input_is_valid(NEW."state", 'json') THEN
    NEW."number" := NEW."state"::json #>> '{plan,facts,tenderID}';
  END IF;
  RETURN NEW;
END;
$$;

-- An auction is added without its state, which its first events bring.
CREATE TRIGGER "auction_number" BEFORE INSERT OR UPDATE OF "state" ON "auction"
  FOR EACH ROW WHEN (NEW."number" IS NULL) EXECUTE FUNCTION "auction_has_number"();
