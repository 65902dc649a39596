-- AlterTable
ALTER TABLE "shelf" ADD COLUMN     "bids_erased" BOOLEAN NOT NULL DEFAULT false;
