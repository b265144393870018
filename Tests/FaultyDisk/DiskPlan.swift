/// What a faulty disk does to the files under a folder.
package enum DiskPlan: Sendable {
  /// Lets one write fail with an error number, counted from 1, or with `lasting` that one and all
  /// later ones; half of the bytes are written.
  case fail(write: Int, error: Int32, lasting: Bool)
  /// Kills the process at a point of the commit that follows so many others.
  case crash(CrashPoint, afterCommits: Int)
  /// Kills the process at one write, counted from 1, of which half of the bytes are written.
  case die(write: Int)
}
