internal import GatebookAuthentication
internal import Testing

@Suite struct ResolveTests {
  /// The examples of RFC 3986 sections 5.4.1 and 5.4.2, fragments dropped.
  @Test(arguments: [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"), ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"),
    ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"),
    ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
    ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
    ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
    ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
    ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
    (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
    ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
    ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
    ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
    ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/../x", "http://a/b/c/g"),
  ])
  func `the examples of the standard hold`(_ reference: String, _ expected: String) throws {
    let base = try #require(HTTPURL("http://a/b/c/d;p?q"))
    #expect(base.resolve(reference)?.description == expected)
  }

  @Test(arguments: [
    ("https://h:8443/x/y", "//g:81/z", "https://g:81/z"),
    ("https://h:8443/x/y", "/z?a:b", "https://h:8443/z?a:b"),
    ("https://h:8443/x/y", "z/a:b", "https://h:8443/x/z/a:b"),
    ("https://h:8443/x/y", "http://g/", "http://g/"),
    ("https://h:8443/x/y?q", "?", "https://h:8443/x/y?"),
    ("https://h", "z", "https://h/z"),
    ("https://h/x", "/..//g/z", "https://h//g/z"),
    ("http://[::1]:81/x", "y", "http://[::1]:81/y"),
  ])
  func `a reference keeps what it does not name`(
    _ base: String, _ reference: String, _ expected: String
  ) throws {
    let url = try #require(HTTPURL(base)?.resolve(reference))
    #expect(url.description == expected)
    #expect(HTTPURL(expected) == url)
  }

  @Test(arguments: [
    "g:h", "http:g", "javascript:alert(1)", "//", "///g", "//user@g/", "/a b", "/\\g", "\\\\g\\",
    "/ä", "/%", "?%x", "/\r\n", " /a", "a:b",
  ])
  func `a reference outside the grammar is refused`(_ reference: String) throws {
    #expect(try #require(HTTPURL("http://a/b/c/d;p?q")).resolve(reference) == nil)
  }
}
