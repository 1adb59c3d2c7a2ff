// Files that somebody chooses.

/** The text of a file; of one that cannot be read it is empty, which its reader refuses in words. */
export async function textOf(file: Blob): Promise<string> {
  try {
    return await file.text();
  } catch {
    return ""; // gone since it was chosen, a folder, or not ours to read
  }
}
