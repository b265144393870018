internal import CSecret

/// What tells GLib to give up (`GCancellable`).
// Unchecked: "g_cancellable_cancel: This function is thread-safe."
final class Cancellation: @unchecked Sendable {
  private let library: SecretLibrary
  let handle: OpaquePointer?

  init(_ library: SecretLibrary) {
    self.library = library
    handle = library.functions.g_cancellable_new()
  }

  deinit {
    handle.map { library.functions.g_object_unref(UnsafeMutableRawPointer($0)) }
  }

  func cancel() {
    library.functions.g_cancellable_cancel(handle)
  }
}
