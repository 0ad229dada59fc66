/** Single files by their path, such as a configuration. What a revert is made of are trees and blobs. */
import type { Repository } from '../ports.ts';

export interface TextFile {
  /** Read as UTF-8, without a byte order mark. */
  text: string;
  blobId: string;
}

export interface Files {
  /**
   * A file at a commit or branch, null for the default branch. Null when it is not there, and when the repository
   * is not, or the App does not see it. Throws a WorldProblem when something other than a file is there.
   */
  fileAt(repository: Repository, path: string, ref: string | null): Promise<TextFile | null>;
  /** The commits of the default branch that changed a file, the newest first, at most 100. None when nobody ever did. */
  commitsOfFile(repository: Repository, path: string): Promise<readonly string[]>;
}
