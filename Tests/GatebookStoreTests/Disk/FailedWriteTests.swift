import GatebookEvents
import Glibc
import Testing

@testable import GatebookStore

/// The errors for a failing disk (`sqlite3.h`, the extended codes of SQLITE_IOERR).
@Suite struct FailedWriteTests {
  @Test(arguments: [
    (10, "read"), (266, "read"), (522, "read"), (778, "written"), (1034, "written"),
    (1290, "written"), (1546, "written"), (2570, "written"), (4874, "written"), (14, "read"),
  ])
  func `what could not be written is not told as unreadable`(_ status: Int32, _ what: String) {
    errno = EIO
    let error = GatebookError.sqlite(status, nil)
    #expect(error.code == .storageUnreadable)
    #expect(error.message == "The book cannot be \(what).")
    errno = ENOSPC
    #expect(status & 0xFF != 10 || GatebookError.sqlite(status, nil).code == .storageFull)
  }
}
