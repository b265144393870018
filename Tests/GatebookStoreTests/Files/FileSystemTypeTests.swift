import Glibc
import Testing

@testable import GatebookStore

@Suite struct FileSystemTypeTests {
  private func mounts(_ type: String, device: String) -> [UInt8] {
    Array(
      """
      22 28 0:21 / /proc rw,nosuid shared:12 - proc proc rw
      36 35 \(device) /mnt /mnt/with\\040blank rw,noatime master:1 propagate_from:2 - \(type) src rw
      37 35 broken
      """.utf8)
  }

  private func device(of folder: String) throws -> String {
    var status = stat()
    try #require(stat(folder, &status) == 0)
    // gnu_dev_major and gnu_dev_minor for device numbers that need no more than 32 bits.
    let device = UInt64(status.st_dev)
    return "\(device >> 8 & 0xFFF):\(device & 0xFF | device >> 12 & 0xFFF00)"
  }

  @Test(
    arguments: [
      ("ext4", false), ("tmpfs", false), ("btrfs", false), ("overlay", false), ("nfs", true),
      ("nfs4", true), ("cifs", true), ("smb3", true), ("9p", true), ("fuse.sshfs", true),
      ("fuse.rclone", true),
    ])
  func `network file systems are recognized by name`(name: String, isNetwork: Bool) throws {
    let folder = try TemporaryFolder()
    let type = FileSystemType(
      of: folder.path, mounts: mounts(name, device: try device(of: folder.path)))
    #expect(type?.name == name)
    #expect(type?.isNetwork == isNetwork)
  }

  @Test func `a device that the kernel does not list has no type`() throws {
    let folder = try TemporaryFolder()
    #expect(FileSystemType(of: folder.path, mounts: mounts("nfs", device: "999:999")) == nil)
    #expect(FileSystemType(of: folder.path, mounts: []) == nil)
    #expect(FileSystemType(of: folder.file("absent")) == nil)
  }

  @Test func `the kernel's own list is understood`() {
    #expect(FileSystemType(of: "/proc")?.name == "proc")
  }
}
