-- AlterTable
ALTER TABLE "export_run" ADD COLUMN     "archived" TIMESTAMPTZ(6);
