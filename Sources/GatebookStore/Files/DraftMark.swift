internal import Glibc

/// What tells an unfinished file of ours from anybody's: the sticky bit, which means nothing on a file
/// (inode(7)) and which no book has.
///
/// A draft has a name that follows from where it is to stand, so that what a killed process has left is
/// found again. Somebody else's file may have that name, and is never touched.
enum DraftMark {
  /// Whether it may be filled, or taken away: a draft, or an empty file.
  static func isDraft(_ status: stat) -> Bool {
    status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid()
      && (status.st_mode & S_ISVTX != 0 || status.st_size == 0)
  }

  /// Whether both names are of one file: a draft that was put in place, and has its first name still.
  static func isSame(_ path: String, _ other: String) -> Bool {
    var one = stat()
    var two = stat()
    return lstat(path, &one) == 0 && lstat(other, &two) == 0 && one.st_ino == two.st_ino
      && one.st_dev == two.st_dev
  }

  /// Marks an open file, which only its owner can read.
  static func set(_ descriptor: Int32, mode: mode_t = 0o600) -> Bool {
    fchmod(descriptor, mode | S_ISVTX) == 0
  }
}
