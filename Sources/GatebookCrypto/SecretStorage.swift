internal import COpenSSL
internal import Glibc

/// The bytes shared by all copies of one ``Secret``, wiped with the last of them, on pages that no
/// core dump holds.
// Unchecked: the bytes change only in `wipe`, which runs when a single reference is left.
package final class SecretStorage: @unchecked Sendable {
  package private(set) var bytes: [UInt8]

  /// Copies into an array of its own, since one shared with the caller cannot be wiped in place.
  package init(copying source: some Collection<UInt8>) {
    let count = source.count
    guard count > 0 else {
      // All empty arrays share one storage, which an initializer would write to.
      bytes = []
      return
    }
    bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = buffer.initialize(fromContentsOf: source)
    }
    keepOutOfDumps()
  }

  /// Adopts the array and leaves the variable empty.
  package init(taking source: inout [UInt8]) {
    bytes = []
    swap(&bytes, &source)
    keepOutOfDumps()
  }

  deinit {
    wipe()
  }

  /// Marks the pages for good: what shares them is not dumped either.
  ///
  /// A kernel that does not know the mark dumps them, as before.
  private func keepOutOfDumps() {
    guard !bytes.isEmpty else { return }
    bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress.map({ UInt(bitPattern: $0) }) else { return }
      let page = UInt(sysconf(Int32(_SC_PAGESIZE)))
      let first = start / page * page
      let end = (start + UInt(buffer.count) + page - 1) / page * page
      _ = madvise(UnsafeMutableRawPointer(bitPattern: first), Int(end - first), MADV_DONTDUMP)
    }
  }

  /// Overwrites the bytes with zeros by a call that no optimiser may leave out.
  package func wipe() {
    guard !bytes.isEmpty else { return }
    bytes.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
  }
}
