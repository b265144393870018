internal import Glibc

/// The plan and what has been seen of the writes; shared because SQLite's calls carry no context.
// Unchecked: every access to the variables is under `mutex`.
final class DiskState: @unchecked Sendable {
  static let shared = DiskState()

  private enum Answer {
    case pass
    case fail(Int32)
  }

  private var mutex = pthread_mutex_t()
  private var plan: DiskPlan?
  private var folder = ""
  private var writes = 0
  private var commits = 0
  private var moved = 0
  private var isLastPage = false

  private init() {
    pthread_mutex_init(&mutex, nil)
  }

  func arm(_ plan: DiskPlan, _ folder: String) {
    locked {
      self.plan = plan
      self.folder = folder
      writes = 0
      commits = 0
      moved = 0
      isLastPage = false
    }
  }

  func heal() -> Int {
    locked {
      plan = nil
      return writes
    }
  }

  func reach(_ point: CrashPoint) {
    locked { if isDue(point, after: 1) { die() } }
  }

  func write(
    _ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ perform: (Int) -> Int
  ) -> Int {
    locked {
      guard let name = name(of: descriptor) else { return perform(count) }
      let isLog = name.hasSuffix("-wal")
      if isLog { dieBeforePage(count, perform) }
      if !isLog, !name.hasSuffix("-shm") { dieAmidCheckpoint() }
      if case .fail(let number) = nextWrite() {
        _ = perform(count / 2)
        if case .die = plan { die() }
        errno = number
        return -1
      }
      let written = perform(count)
      if isLog { noteFrame(bytes, count) }
      return written
    }
  }

  /// The error of making a file; it takes a place on the disk like a write.
  func failure(ofMaking path: String) -> Int32? {
    locked {
      guard plan != nil, path.hasPrefix(folder), case .fail(let number) = nextWrite() else {
        return nil
      }
      return number
    }
  }

  func failure(ofResizing descriptor: Int32) -> Int32? {
    locked {
      guard name(of: descriptor) != nil, case .fail(let number) = nextWrite() else { return nil }
      return number
    }
  }

  /// The first lock that changes after a commit's last page changes after the sync.
  func lockChanges() {
    locked { if !isLastPage, isDue(.afterSync, after: 1) { die() } }
  }

  private func nextWrite() -> Answer {
    writes += 1
    if case .die(let last) = plan { return writes == last ? .fail(EIO) : .pass }
    guard case .fail(let first, let error, let lasting) = plan else { return .pass }
    return writes == first || lasting && writes > first ? .fail(error) : .pass
  }

  private func dieBeforePage(_ count: Int, _ perform: (Int) -> Int) {
    if isDue(.beforeWrite, after: 0) { die() }
    // A frame is a header of 24 bytes and a page (https://sqlite.org/fileformat2.html#walformat).
    guard count > 32, isDue(.amidWrite, after: 0) else { return }
    _ = perform(count / 2)
    die()
  }

  /// Only WAL checkpoints write into the book itself.
  private func dieAmidCheckpoint() {
    moved += 1
    if moved > 2, isDue(.amidCheckpoint, after: 0) { die() }
  }

  private func noteFrame(_ bytes: UnsafeRawPointer?, _ count: Int) {
    if count == 24, let bytes {
      // Bytes 4 to 7 hold the size of the database in the last frame of a commit, else zero.
      isLastPage = UnsafeRawBufferPointer(start: bytes + 4, count: 4).contains { $0 != 0 }
    } else if isLastPage {
      isLastPage = false
      commits += 1
      if isDue(.beforeSync, after: 1) { die() }
    }
  }

  private func isDue(_ point: CrashPoint, after own: Int) -> Bool {
    guard case .crash(point, let others) = plan else { return false }
    return commits == others + own
  }

  private func die() {
    kill(getpid(), SIGKILL)
  }

  /// The file's path, when the plan is about it.
  private func name(of descriptor: Int32) -> String? {
    guard plan != nil else { return nil }
    let path = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
      guard let start = buffer.baseAddress else { return "" }
      let count = readlink("/proc/self/fd/\(descriptor)", start, buffer.count)
      return String(decoding: UnsafeRawBufferPointer(buffer).prefix(max(0, count)), as: UTF8.self)
    }
    return path.hasPrefix(folder) ? path : nil
  }

  private func locked<Value>(_ body: () -> Value) -> Value {
    pthread_mutex_lock(&mutex)
    defer { pthread_mutex_unlock(&mutex) }
    return body()
  }
}
