import Glibc
import Testing

/// Looks again and again until something has happened elsewhere; a minute without it fails the
/// test, so that nothing waits for ever.
///
/// - Parameters:
///   - what: What is waited for, for the failure's text.
///   - limit: How long at most.
///   - location: Where the test says so.
///   - hasHappened: Looks.
/// - Throws: It has not happened, or what looking throws.
func wait(
  for what: String, limit: Duration = .seconds(60), at location: SourceLocation = #_sourceLocation,
  until hasHappened: () throws -> Bool
) throws {
  let end = ContinuousClock.now + limit
  while try !hasHappened() {
    try #require(ContinuousClock.now < end, "there was no \(what)", sourceLocation: location)
    _ = poll(nil, 0, 10)
  }
}

/// The same without keeping a thread from other tasks, which what is waited for may need.
func wait(
  for what: String, limit: Duration = .seconds(60), at location: SourceLocation = #_sourceLocation,
  until hasHappened: () throws -> Bool
) async throws {
  let end = ContinuousClock.now + limit
  while try !hasHappened() {
    try #require(ContinuousClock.now < end, "there was no \(what)", sourceLocation: location)
    _ = poll(nil, 0, 10)
    await Task.yield()
  }
}
