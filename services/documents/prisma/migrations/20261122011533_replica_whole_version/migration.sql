-- AlterTable
ALTER TABLE "replica" ADD COLUMN     "whole_version" BIGINT;
