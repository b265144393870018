internal import CPublicSuffix
public import GatebookAuthentication
internal import GatebookSystem

/// Mozilla's list of public suffixes as libpsl knows it, opened when the first list is made.
///
/// The machine's own list is used when it is newer than the one inside the library. Names that the
/// list does not know count by their last label, as the list's own `*` rule says.
public struct PublicSuffixList: PublicSuffixes {
  private let list: OpenedList

  /// Opens the list; `nil` when libpsl (Debian package `libpsl5`, `libpsl5t64` from Debian 13 on)
  /// is missing.
  public init?() {
    self.init(library: Self.library)
  }

  static let library = "libpsl.so.5"

  /// Opens the list by the library's file name.
  init?(library: String) {
    guard let list = OpenedList(library) else { return nil }
    self.list = list
  }

  /// Whether a domain, lower case and without a leading dot, is a public suffix.
  public func contains(_ domain: String) -> Bool {
    list.contains(domain)
  }
}

/// The list of public suffixes, opened when it is first asked: few commands ever meet a cookie.
///
/// Where libpsl is missing every domain counts as a public suffix, which is the rule for cookies
/// without a list: only the exact host gets them.
package final class PublicSuffixesOnDemand: PublicSuffixes {
  private let list = Locked<PublicSuffixList??>(nil)
  private let library: String

  package convenience init() {
    self.init(library: PublicSuffixList.library)
  }

  /// Opens the list by the library's file name.
  init(library: String) {
    self.library = library
  }

  package func contains(_ domain: String) -> Bool {
    let list = list.withLock { list in
      if case .none = list { list = .some(PublicSuffixList(library: library)) }
      return list ?? nil
    }
    return list?.contains(domain) ?? true
  }
}

/// Owns the list and the table of functions that reads it.
// Unchecked: both pointers are set once, and libpsl only reads through them.
private final class OpenedList: @unchecked Sendable {
  private let functions: psl_functions
  private let list: OpaquePointer

  init?(_ library: String) {
    var functions = psl_functions()
    guard psl_functions_open(&functions, library) == nil,
      let list = functions.psl_latest(nil) ?? functions.psl_builtin()
    else { return nil }
    self.functions = functions
    self.list = list
  }

  deinit {
    functions.psl_free(list)
  }

  func contains(_ domain: String) -> Bool {
    functions.psl_is_public_suffix2(list, domain, psl_type_any()) == 1
  }
}
