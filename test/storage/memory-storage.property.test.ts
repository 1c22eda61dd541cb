import { memoryStorage } from "../../src/storage/memory-storage.ts";
import { storageProperties } from "./storage-properties.ts";

storageProperties(() => memoryStorage());
