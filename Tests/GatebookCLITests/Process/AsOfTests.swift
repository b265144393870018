internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// `--as-of` and `--diff` with what is no moment of the book.
struct AsOfTests {
  private static let options = [
    ["sessions", "--as-of"], ["show", "--as-of"], ["show", "--diff"],
  ]

  @Test(arguments: options)
  func `a position that no event can have is a slip, and no damage`(_ line: [String]) throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    for text in ["0", "000"] {
      let ending = try scene.start(line + [text]).end()
      #expect(ending.exit == 2, "\(ending.errors)")
      #expect(ending.errors.contains("is not a position in the log."), "\(ending.errors)")
    }
    let beyond = try scene.start(line + ["4000"]).end()
    #expect(
      beyond.exit == 2 && beyond.errors.contains("The last event is at position"),
      "\(beyond.errors)")
    // Digits alone are a position, also where they look like a day.
    let day = try scene.start(line + ["20251120"]).end()
    #expect(
      day.exit == 2 && day.errors.contains("If you mean a day, write `2025-11-20`."),
      "\(day.errors)")
  }

  @Test(arguments: options)
  func `how the book will be is not told`(_ line: [String]) throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    for text in ["tomorrow", "2999-01-01", "2999-01-01T14:00:05Z"] {
      let ending = try scene.start(line + [text]).end()
      #expect(ending.exit == 2 && ending.output.isEmpty, "\(ending.output)")
      #expect(ending.errors.contains("names a time in the future."), "\(ending.errors)")
    }
    // The time of an event that was just printed is the second that is not over yet.
    let end = try BookReader.open(at: scene.book).head().size
    let last = try #require(
      try BookReader.open(at: scene.book).event(at: Position(rawValue: end)))
    let times = TimeText(zone: .utc, isUTC: true, clock: SystemClock())
    for text in ["now", times.text(last.at)] {
      let ending = try scene.start(line + [text, "--utc"]).end()
      #expect(ending.exit == 0, "\(text): \(ending.errors)")
    }
  }
}
