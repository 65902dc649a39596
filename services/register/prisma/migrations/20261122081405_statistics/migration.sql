-- AlterTable
ALTER TABLE "tender" ADD COLUMN     "counted" BIGINT;

-- AlterTable
ALTER TABLE "party" ADD COLUMN     "tests" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "tender_fact" (
    "id" UUID NOT NULL,
    "fact" TEXT NOT NULL,

    CONSTRAINT "tender_fact_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "statistic" (
    "cube" TEXT NOT NULL,
    "period" TEXT NOT NULL,
    "is_test" BOOLEAN NOT NULL,
    "method" TEXT NOT NULL,
    "cpv" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "buyer" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "tenders" INTEGER NOT NULL,
    "amount" DECIMAL NOT NULL,
    "opened" INTEGER NOT NULL,
    "bids" BIGINT NOT NULL,
    "single" INTEGER NOT NULL,
    "active" INTEGER NOT NULL,
    "complete" INTEGER NOT NULL,
    "unsuccessful" INTEGER NOT NULL,
    "cancelled" INTEGER NOT NULL,
    "expected" DECIMAL NOT NULL,
    "contracted" DECIMAL NOT NULL,
    "dated" INTEGER NOT NULL,
    "days" BIGINT NOT NULL,
    "buckets" INTEGER[],

    CONSTRAINT "statistic_pkey" PRIMARY KEY ("cube","period","is_test","method","cpv","region","buyer","currency")
);

-- CreateIndex
CREATE INDEX "statistic_buyer_period_idx" ON "statistic"("buyer", "period");

-- Tenders whose facts are to be made: empty but while tenders of an earlier release are counted.
CREATE INDEX "tender_uncounted" ON "tender"("id") WHERE "counted" IS DISTINCT FROM "position";
