import FaultyDisk
import GatebookCrypto
import GatebookEvents
import Glibc
import Testing

@testable import GatebookStore

/// Erasing and copying on a disk that fails.
///
/// In the suite of the other full disks, because there is one plan at a time.
extension FullDiskTests {
  @Test(arguments: [ENOSPC, EDQUOT, EIO])
  func `whichever write of a backup fails, nothing is at its place, or all`(
    error: Int32
  ) async throws {
    var number = 1
    var failures = 0
    while true {
      let book = try await TestBook.written(events: 60)
      let store = try await book.open()
      let path = book.folder.file("copy")
      FaultyDisk.arm(
        .fail(write: number, error: error, lasting: false), under: book.folder.path)
      let failure: GatebookError?
      do throws(GatebookError) {
        _ = try await store.backUp(
          to: path, replacing: false, random: SystemRandom(), progress: { _, _ in })
        failure = nil
      } catch {
        failure = error
      }
      let writes = FaultyDisk.heal()
      let comment: Comment = "error \(error), write \(number): \(failure?.description ?? "-")"
      if failure != nil {
        failures += 1
        #expect(
          failure?.code == (error == EIO ? .storageUnreadable : .storageFull), comment)
      }
      let isThere = FileBytes.exists(path)
      if isThere { #expect(try await BookVerifier(path: path).verify().ok, comment) }
      // An existing record is known.
      let copies = try store.makeReader().copies()
      #expect(!isThere || copies.count == 1, comment)
      if failure == nil { #expect(isThere && copies.first?.events != nil, comment) }
      #expect(!FileBytes.exists(path + "-draft"), comment)
      await store.close()
      #expect(try await book.verify().ok, comment)
      if writes < number { break }
      number += 1
    }
    #expect(failures > 10)
  }

  @Test(arguments: [ENOSPC, EIO])
  func `whichever write of an erase fails, the account is whole or erased, and is wiped then`(
    error: Int32
  ) async throws {
    var number = 1
    var failures = 0
    while true {
      let book = try await TestBook.written(events: 3)
      let key = try book.wrappedKey(of: TestBook.ada)
      let store = try await book.open()
      FaultyDisk.arm(
        .fail(write: number, error: error, lasting: false), under: book.folder.path)
      let isDone: Bool
      do throws(GatebookError) {
        _ = try await store.append(.erasing(TestBook.ada))
        isDone = true
      } catch {
        isDone = false
        failures += 1
      }
      let isWiped = try await store.wipe()
      let writes = FaultyDisk.heal()
      let comment: Comment = "error \(error), write \(number), done \(isDone), wiped \(isWiped)"
      #expect(try book.reader().isErased(TestBook.ada) == isDone, comment)
      if isDone, isWiped { #expect(try book.files(with: key).isEmpty, comment) }
      await store.close()
      await (try book.open()).close()
      #expect(try book.files(with: key).isEmpty == isDone, comment)
      #expect(try book.reader().unwipedKeys() == 0, comment)
      #expect(try book.reader().checkProjections().ok, comment)
      #expect(try await book.verify().ok, comment)
      if writes < number { break }
      number += 1
    }
    #expect(failures > 3)
  }
}
