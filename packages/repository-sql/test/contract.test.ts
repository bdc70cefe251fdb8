import { describe } from "vitest";
import { testAllContracts } from "./databases/all-contracts.js";
import { freshMemory, freshSqlite } from "./databases/sqlite-file.js";

describe("in a SQLite file", () => testAllContracts(freshSqlite));
describe("in SQLite's memory", () => testAllContracts(freshMemory));
