import GatebookEvents
import Testing

@testable import GatebookStore

/// Readers, and the verifier, in a task that is cancelled.
@Suite struct CancelledReadingTests {
  private static let long = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)
    SELECT count(*) FROM n
    """

  @Test func `a long query ends in its middle, and only for who asked for that`() async throws {
    let book = try await TestBook.written()
    let path = book.path
    let droppingRevokedPermissions: FailureCode? = await Task { () -> FailureCode? in
      do throws(GatebookError) {
        let reader = try BookReader.open(at: path)
        reader.heedCancellation()
        withUnsafeCurrentTask { $0?.cancel() }
        _ = try reader.connection.integer(Self.long)
        return nil
      } catch {
        return error.code
      }
    }.value
    #expect(droppingRevokedPermissions == .cancelled)
    let count = try await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      let reader = try BookReader.open(at: path)
      _ = try reader.events(EventFilter())
      return try reader.connection.integer(Self.long)
    }.value
    #expect(count == 1_000_000)
  }

  @Test func `a verification that is cancelled tells no damage`() async throws {
    let book = try await TestBook.written()
    let path = book.path
    let code: FailureCode? = await Task { () -> FailureCode? in
      withUnsafeCurrentTask { $0?.cancel() }
      do throws(GatebookError) {
        _ = try await BookVerifier(path: path).verify()
        return nil
      } catch {
        return error.code
      }
    }.value
    #expect(code == .cancelled)
    #expect(try await book.verify().ok)
  }
}
