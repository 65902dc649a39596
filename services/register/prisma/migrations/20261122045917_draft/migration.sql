-- CreateTable
CREATE TABLE "draft" (
    "id" UUID NOT NULL,
    "rev" BIGINT NOT NULL,
    "position" BIGINT NOT NULL,

    CONSTRAINT "draft_pkey" PRIMARY KEY ("id")
);
