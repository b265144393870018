internal import CSQLite
internal import Glibc

/// A disk that fails on command: sits between SQLite and the kernel, for the files of one folder.
///
/// SQLite's VFS lets its system calls be replaced (https://sqlite.org/c3ref/vfs.html,
/// `xSetSystemCall`), all except the sync itself. One plan at a time for a process.
package enum FaultyDisk {
  /// Arms the disk; replaces SQLite's system calls the first time.
  package static func arm(_ plan: DiskPlan, under folder: String) {
    _ = isInstalled
    DiskState.shared.arm(plan, folder)
  }

  /// Lets everything pass again.
  ///
  /// - Returns: How many writes there were since the disk was armed.
  @discardableResult
  package static func heal() -> Int {
    DiskState.shared.heal()
  }

  /// Dies here if the plan says so, at a point that no system call shows.
  package static func reach(_ point: CrashPoint) {
    DiskState.shared.reach(point)
  }

  private static let isInstalled: Bool = {
    guard let system = sqlite3_vfs_find(nil) else { return false }
    replace("write", unsafeBitCast(SystemCalls.write, to: sqlite3_syscall_ptr.self), system)
    let positioned = unsafeBitCast(SystemCalls.positionedWrite, to: sqlite3_syscall_ptr.self)
    replace("pwrite", positioned, system)
    replace("pwrite64", positioned, system)
    replace("open", unsafeBitCast(SystemCalls.open, to: sqlite3_syscall_ptr.self), system)
    replace("ftruncate", unsafeBitCast(SystemCalls.truncate, to: sqlite3_syscall_ptr.self), system)
    replace("fcntl", unsafeBitCast(SystemCalls.control, to: sqlite3_syscall_ptr.self), system)
    return true
  }()

  private static func replace(
    _ name: String, _ call: sqlite3_syscall_ptr, _ system: UnsafeMutablePointer<sqlite3_vfs>
  ) {
    // A call that this build of SQLite does not use stays as it is.
    guard system.pointee.xGetSystemCall(system, name) != nil else { return }
    _ = system.pointee.xSetSystemCall(system, name, call)
  }
}
