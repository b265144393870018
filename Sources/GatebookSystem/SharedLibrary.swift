internal import Glibc

/// A library that is loaded while the program runs.
package final class SharedLibrary {
  private let handle: UnsafeMutableRawPointer?

  /// Loads a library by its file's name; `nil` where it is not installed.
  package init?(_ name: String) {
    guard let handle = dlopen(name, RTLD_LAZY) else { return nil }
    self.handle = handle
  }

  /// What the program itself is linked with.
  package init() {
    handle = nil
  }

  deinit {
    if let handle { dlclose(handle) }
  }

  /// What a function without parameters says; `nil` where the library has none of that name.
  package func text(of function: String) -> String? {
    typealias Function = @convention(c) () -> UnsafePointer<CChar>?
    guard let symbol = dlsym(handle, function) else { return nil }
    return unsafeBitCast(symbol, to: Function.self)().map { String(cString: $0) }
  }
}
