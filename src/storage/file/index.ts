export { fileStorage } from "./file-storage.ts";
export type { FileStorageOptions } from "./file-storage.ts";
