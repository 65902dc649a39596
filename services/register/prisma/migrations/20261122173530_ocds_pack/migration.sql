-- AlterTable
ALTER TABLE "ocds_release" ADD COLUMN     "bytes" INTEGER,
ALTER COLUMN "body" DROP NOT NULL;

-- AlterTable
ALTER TABLE "ocds_position" ADD COLUMN     "packs_from" TIMESTAMPTZ(6) NOT NULL DEFAULT (now() + '7 days'::interval);

-- CreateTable
CREATE TABLE "ocds_pack" (
    "ocid" TEXT NOT NULL,
    "first_seq" BIGINT NOT NULL,
    "last_seq" BIGINT NOT NULL,
    "raw_bytes" INTEGER NOT NULL,
    "pack" BYTEA NOT NULL,

    CONSTRAINT "ocds_pack_pkey" PRIMARY KEY ("ocid","first_seq")
);

-- Written by hand: compressed already.
ALTER TABLE "ocds_pack" ALTER COLUMN "pack" SET STORAGE EXTERNAL;

-- Written by hand: of releases that may be packed.
CREATE INDEX "ocds_release_unpacked" ON "ocds_release" ("inserted_at", "seq") WHERE "body" IS NOT NULL;
