-- Version of the auction service's links that the bids of the tender have, so that an older reply never overwrites them.
ALTER TABLE "bidding" ADD COLUMN "links_version" BIGINT;
