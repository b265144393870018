internal import Gatebook

extension Call {
  /// Logs in and prints the account.
  ///
  /// - Parameter method: Makes the method; asks what is not yet known. The book is open by then, so
  ///   nobody types a password for a book that cannot take it.
  /// - Returns: How the program ends.
  /// - Throws: What reading the options, asking or the login throws.
  func logIn(_ method: @MainActor () throws -> LoginMethod) async throws -> ExitCode {
    let options = try LoginArguments.options(arguments)
    let timeout = try LoginArguments.timeout(arguments)
    let context = try await withBook(mayMake: true, timeout: timeout) { book in
      let method = try method()
      progress.show("logging in at \(method.origin)")
      defer { progress.finish() }
      return try await book.logIn(method, options: options)
    }
    output.account(context, isFull: false)
    return .done
  }
}
