internal import GatebookSystem

/// What this process holds at a moment.
struct Footprint {
  private let kibibytes: Int
  private let handles: Int

  /// Reads it from `/proc`.
  init() {
    // proc_pid_statm(5): the second number is that of the resident pages, of 4 KiB each.
    let pages = Files.text(of: "/proc/self/statm").split(separator: " ").dropFirst().first
    kibibytes = pages.flatMap { Int($0) }.map { $0 * 4 } ?? 0
    handles = Files.names(in: "/proc/self/fd").count
  }

  /// `grownKiB=… grownHandles=…`: how much more it is than before.
  func summary(since before: Footprint) -> String {
    "grownKiB=\(kibibytes - before.kibibytes) grownHandles=\(handles - before.handles)"
  }
}
