import Gatebook
import Testing

/// Expects a failure with this code and hands it on.
@discardableResult
func expect(
  _ code: FailureCode, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws(GatebookError) -> Void
) async -> GatebookError? {
  do throws(GatebookError) {
    try await body()
    Issue.record("Nothing failed, \(code) was expected.", sourceLocation: sourceLocation)
    return nil
  } catch {
    #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    return error
  }
}
