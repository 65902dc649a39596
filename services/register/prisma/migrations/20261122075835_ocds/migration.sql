-- CreateTable
CREATE TABLE "ocds_release" (
    "seq" BIGSERIAL NOT NULL,
    "ocid" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "date" TIMESTAMPTZ(3) NOT NULL,
    "tag" TEXT[],
    "hash" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "inserted_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ocds_release_pkey" PRIMARY KEY ("seq")
);

-- CreateTable
CREATE TABLE "ocds_record" (
    "ocid" TEXT NOT NULL,
    "tender_id" UUID NOT NULL,
    "last_seq" BIGINT NOT NULL,
    "date" TIMESTAMPTZ(3) NOT NULL,
    "hash" TEXT NOT NULL,
    "snapshot" TEXT NOT NULL,
    "compiled" TEXT NOT NULL,

    CONSTRAINT "ocds_record_pkey" PRIMARY KEY ("ocid")
);

-- CreateTable
CREATE TABLE "ocds_position" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "position" BIGINT NOT NULL,
    "heard_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ocds_position_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "ocds_release_date_idx" ON "ocds_release"("date");

-- CreateIndex
CREATE UNIQUE INDEX "ocds_release_ocid_id_key" ON "ocds_release"("ocid", "id");

-- CreateIndex
CREATE UNIQUE INDEX "ocds_release_ocid_date_key" ON "ocds_release"("ocid", "date");

-- CreateIndex
CREATE UNIQUE INDEX "ocds_record_tender_id_key" ON "ocds_record"("tender_id");

-- CreateIndex
CREATE UNIQUE INDEX "ocds_record_last_seq_key" ON "ocds_record"("last_seq");
