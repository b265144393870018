import Glibc

/// What the kernel has of files in memory and not on their disk yet: cachestat(2), from Linux 6.5
/// on.
enum PageCache {
  private typealias SystemCall =
    @convention(c) (
      Int, UInt32, UnsafeMutablePointer<UInt64>, UnsafeMutablePointer<UInt64>, UInt32
    ) -> Int

  /// The same on all architectures.
  private static let cachestat = 451

  /// How many pages of a file are not on its disk; `nil` where the kernel does not say.
  static func unwrittenPages(of path: String) -> UInt64? {
    // Variadic in C; on x86-64 and arm64 Linux the arguments come in the same registers.
    guard let symbol = dlsym(nil, "syscall") else { return nil }
    let call = unsafeBitCast(symbol, to: SystemCall.self)
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // From 0, all of it.
    var range: [UInt64] = [0, 0]
    // In memory, changed, on the way, thrown out, thrown out of late.
    var counts = [UInt64](repeating: 0, count: 5)
    guard call(cachestat, UInt32(descriptor), &range, &counts, 0) == 0 else { return nil }
    return counts[1] + counts[2]
  }

  /// Whether a sync shows: not on file systems that are in memory, nor with an older kernel.
  static let showsSyncs: Bool = {
    guard let folder = try? TemporaryFolder(onDisk: true) else { return false }
    let path = folder.file("sync")
    guard (try? FileBytes.write([1], to: path)) != nil, let before = unwrittenPages(of: path)
    else { return false }
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return before > 0 && fsync(descriptor) == 0 && unwrittenPages(of: path) == 0
  }()
}
