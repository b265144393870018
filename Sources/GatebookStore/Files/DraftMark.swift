internal import GatebookSystem

/// What tells an unfinished file of ours from anybody's: the sticky bit, which means nothing on a
/// file (inode(7)) and which no book has.
///
/// A draft's name follows from its place, so that the remains of a killed process are found. A
/// foreign file may have that name, and is never touched.
enum DraftMark {
  /// Whether it may be filled, or taken away: a draft, or an empty file.
  static func isDraft(_ status: FileStatus) -> Bool {
    status.isRegular && status.isOwn && (status.isSticky || status.size == 0)
  }

  /// Whether both names are of one file: a draft that was put in place, and has its first name
  /// still.
  static func isSame(_ path: String, _ other: String) -> Bool {
    Files.isSame(path, other, followsLinks: false)
  }

  /// Marks an open file, which only its owner can read.
  static func set(_ file: OpenFile, mode: UInt32 = 0o600) -> Bool {
    file.setMode(mode, isSticky: true)
  }
}
