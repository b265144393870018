import Glibc
import Testing

/// Looks again and again until something has happened elsewhere; without it the test fails.
///
/// - Parameters:
///   - what: What is waited for, for the failure's text.
///   - limit: How long at most; only a failure takes that long.
///   - location: Where the test says so.
///   - hasHappened: Looks.
/// - Throws: It has not happened, or what looking throws.
func wait(
  for what: String, limit: Duration = .seconds(60), at location: SourceLocation = #_sourceLocation,
  until hasHappened: () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + limit
  while try await !hasHappened() {
    try #require(ContinuousClock.now < end, "there was no \(what)", sourceLocation: location)
    _ = poll(nil, 0, 5)
    await Task.yield()
  }
}
