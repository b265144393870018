internal import COpenSSLTLS
internal import Gatebook

/// libssl, opened on first use: the table of its functions.
///
/// Opening it again is cheap: the dynamic linker counts.
// Sendable: the table is filled before anybody sees it and never changes after that.
final class TLSLibrary: @unchecked Sendable {
  private let table: UnsafePointer<tls_functions>

  /// The functions of libssl.
  var functions: tls_functions { table.pointee }

  /// The table for the inline functions of the shim.
  var address: UnsafePointer<tls_functions> { table }

  private init(_ table: UnsafePointer<tls_functions>) {
    self.table = table
  }

  deinit {
    table.deallocate()
  }

  /// Opens libssl by its file name.
  static func open(_ name: String = "libssl.so.3") throws(GatebookError) -> TLSLibrary {
    let table = UnsafeMutablePointer<tls_functions>.allocate(capacity: 1)
    table.initialize(to: tls_functions())
    if let reason = tls_functions_open(table, name) {
      let cause = String(cString: reason)
      table.deallocate()
      throw GatebookError(
        .configurationInvalid, "libssl of OpenSSL 3 is needed and could not be opened.",
        remedy: "Install it: apt install libssl3 (from Debian 13 on: libssl3t64).", cause: cause)
    }
    return TLSLibrary(UnsafePointer(table))
  }
}
