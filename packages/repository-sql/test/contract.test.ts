import { testRecordStore } from "@skillwright/contracts";
import { describe, test } from "vitest";
import { testAllContracts } from "./databases/all-contracts.js";
import { freshMemory, freshOpen, freshSqlite } from "./databases/sqlite-file.js";
import { subjects } from "./databases/subjects.js";

describe("in a SQLite file", () => testAllContracts(freshSqlite));
describe("in SQLite's memory", () => testAllContracts(freshMemory));
describe("in a SQLite file that was given open", () => testRecordStore(test, subjects(freshOpen).records));
