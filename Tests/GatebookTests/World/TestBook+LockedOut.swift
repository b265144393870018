import Glibc

extension TestBook {
  /// Leaves the book as on media that cannot be written: its lock cannot be had.
  func lockOut() {
    unlink("\(path)-lock")
    mkdir("\(path)-lock", 0o700)
  }

  /// Undoes `lockOut`, so that the folder can be removed.
  func letIn() {
    rmdir("\(path)-lock")
  }
}
