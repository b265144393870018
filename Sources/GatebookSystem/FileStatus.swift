internal import Glibc

/// What the system knows of a file.
package struct FileStatus: Sendable {
  /// The device and the number on it: together they name a file.
  package let device: UInt64
  package let inode: UInt64
  /// Type and permissions.
  package let mode: UInt32
  /// The user that it belongs to.
  package let owner: UInt32
  /// How many names it has.
  package let links: Int
  /// Bytes that can be read.
  package let size: Int
  /// Bytes that the disk holds for it.
  package let allocated: Int

  /// Looks at a path; `nil` when it cannot be seen, and ``SystemError/last`` says why.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - followsLinks: Whether a symbolic link is left for its target.
  package init?(of path: String, followsLinks: Bool = true) {
    var status = stat()
    guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    self.init(status)
  }

  /// Looks at an open file; `nil` when the system refuses, and ``SystemError/last`` says why.
  package init?(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    mode = status.st_mode
    owner = status.st_uid
    links = Int(status.st_nlink)
    size = Int(status.st_size)
    allocated = Int(status.st_blocks) * 512
  }

  package var isRegular: Bool { mode & S_IFMT == S_IFREG }
  package var isFolder: Bool { mode & S_IFMT == S_IFDIR }
  package var isSocket: Bool { mode & S_IFMT == S_IFSOCK }
  /// Whether its sticky bit is set, which means nothing for a regular file.
  package var isSticky: Bool { mode & S_ISVTX != 0 }
  /// Whether other users than its own may do anything with it.
  package var isOpenToOthers: Bool { mode & 0o077 != 0 }
  /// Whether it belongs to the user that the process acts for.
  package var isOwn: Bool { owner == geteuid() }

  /// Whether it belongs to the system's administrator.
  package var isOfRoot: Bool { owner == 0 }

  /// Whether other users than its own may change it.
  package var isWritableByOthers: Bool { mode & 0o022 != 0 }

  /// Whether both are the same file.
  package func isSameFile(as other: FileStatus) -> Bool {
    inode == other.inode && device == other.device
  }
}
