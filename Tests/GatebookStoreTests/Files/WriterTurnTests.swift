internal import GatebookSystem
internal import Testing

@testable internal import GatebookStore

/// How often a writer goes before those who wait: never at first, and never for long.
struct WriterTurnTests {
  /// How often the writer may take the lock again after it waited for so many events of others, and
  /// then did something else for some microseconds.
  private func retakes(
    of turn: inout WriterTurn, afterOthers events: Int64, pause: Int64 = 0
  ) -> Int {
    turn.begin(hasWaited: true, at: 0)
    turn.hear(ofOthers: events)
    turn.release(at: 0)
    turn.begin(hasWaited: false, at: pause)
    turn.release(at: pause)
    defer { turn.release(at: 0) }
    var count = 0
    while turn.isOpen(at: pause) {
      turn.takeAgain()
      count += 1
    }
    return count
  }

  @Test func `a writer that never waited goes before nobody`() {
    var turn = WriterTurn()
    turn.begin(hasWaited: false, at: 0)
    turn.hear(ofOthers: 0)
    turn.begin(hasWaited: false, at: 0)
    #expect(!turn.isOpen(at: 0))
  }

  @Test func `short waits make turns longer, and a long one makes them shorter at once`() {
    var turn = WriterTurn()
    let growing = (1...12).map { retakes(of: &turn, afterOthers: 3 * $0) }
    #expect(growing == [1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 8, 4])
    #expect((0..<4).map { _ in retakes(of: &turn, afterOthers: 34) } == [2, 1, 0, 0])
    #expect((0..<4).map { _ in retakes(of: &turn, afterOthers: 17) } == [0, 0, 0, 0])
  }

  @Test func `who comes back later waits, and after a second it is as if it had never waited`() {
    var turn = WriterTurn()
    for _ in 0..<4 { _ = retakes(of: &turn, afterOthers: 3) }
    turn.begin(hasWaited: false, at: 0)
    turn.release(at: 0)
    #expect(turn.isOpen(at: 1_000))
    #expect(!turn.isOpen(at: 1_001))
    #expect(retakes(of: &turn, afterOthers: 3, pause: 1_000_000) == 5)
    #expect(retakes(of: &turn, afterOthers: 3, pause: 1_000_001) == 0)
    #expect(retakes(of: &turn, afterOthers: 3) == 1)
  }

  /// Each writer waits for a turn of all the others, round after round.
  @Test(arguments: [2, 4, 8, 16, 40])
  func `the wait stays within forty of the others' commits`(_ writers: Int) {
    var turns = [WriterTurn](repeating: WriterTurn(), count: writers)
    var taken = [Int](repeating: 1, count: writers)
    for _ in 0..<200 {
      for number in turns.indices {
        let others = taken.reduce(0, +) - taken[number]
        #expect(others <= max(40, writers - 1), "\(writers) writers")
        taken[number] = 1 + retakes(of: &turns[number], afterOthers: Int64(others))
      }
    }
  }

  @Test func `a turn continues before one who waits, and then it is the other's turn`() throws {
    let folder = try TemporaryFolder()
    let writer = try BookLock.open(folder.file("lock"))
    let other = try #require(OpenFile.open(folder.file("lock"), .update))
    let wanted = { (mayContinue: Bool) in
      // However slow the machine is: the lock was released less than a millisecond ago.
      writer.turn.release(at: SystemTime.monotonic + 60_000_000)
      return writer.tryLockWriter(mayContinue: mayContinue)
    }
    writer.turn.release(at: SystemTime.monotonic)
    writer.turn.begin(hasWaited: true, at: SystemTime.monotonic)
    writer.turn.hear(ofOthers: 3)
    #expect(wanted(true))
    writer.unlockWriter()
    try #require(other.lock(0), "the place of the one who waits")
    #expect(!wanted(false), "Work that is longer than one commit waits.")
    #expect(wanted(true))
    writer.unlockWriter()
    #expect(!wanted(true))
    try #require(other.lock(1))
    other.unlock(0)
    #expect(!wanted(true))
    other.unlock(1)
    try writer.lockWriter(wait: .seconds(10))
    writer.unlockWriter()
  }
}
