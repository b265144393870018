internal import GatebookSystem

/// The type of a folder's file system, as the kernel's list of mounts names it.
package struct FileSystemType {
  /// Such as `ext4` or `nfs4`.
  package let name: String

  /// Looks the folder's device up in `/proc/self/mountinfo` (proc(5)); `nil` where that does not
  /// tell.
  package init?(of folder: String, mounts: [UInt8]? = nil) {
    guard let device = FileStatus(of: folder)?.device else { return nil }
    let major = device >> 8 & 0xFFF | device >> 32 & ~0xFFF
    let minor = device & 0xFF | device >> 12 & ~0xFF
    let table = String(
      decoding: mounts ?? Files.content(of: "/proc/self/mountinfo") ?? [], as: UTF8.self)
    for line in table.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 8, fields[2] == "\(major):\(minor)",
        let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count
      else { continue }
      name = String(fields[dash + 1])
      return
    }
    return nil
  }

  /// Whether other machines may hold the same files.
  package var isNetwork: Bool {
    let networked: Set = [
      "nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "coda", "9p", "ceph", "lustre", "gfs2",
      "ocfs2", "ncpfs", "glusterfs", "fuse.sshfs", "fuse.glusterfs", "fuse.ceph", "fuse.s3fs",
      "fuse.rclone", "fuse.davfs", "davfs",
    ]
    return networked.contains(name)
  }
}
